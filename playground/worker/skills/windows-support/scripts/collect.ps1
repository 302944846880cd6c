<#
.SYNOPSIS
  Collects what support needs to know about a till – reads only, changes nothing.
.PARAMETER Days
  How many days of events to include, 1 to 30.
.PARAMETER OutFile
  Where to write the report. By default a file on the desktop.
.EXAMPLE
  .\collect.ps1 -Days 2
#>
[CmdletBinding()]
param(
    [ValidateRange(1, 30)]
    [int] $Days = 1,

    [string] $OutFile = (Join-Path ([Environment]::GetFolderPath('Desktop')) 'till-report.txt')
)

Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'
$report = New-Object System.Collections.Generic.List[string]

# A section that fails says so in the report, and the others still run.
function Add-Section {
    param([string] $Title, [scriptblock] $Body)
    $report.Add("== $Title ==")
    try {
        $text = (& $Body | Out-String -Width 160).Trim()
        if ($text) { $report.Add($text) } else { $report.Add('(nothing)') }
    }
    catch {
        $report.Add("(not available: $($_.Exception.Message))")
    }
    $report.Add('')
}

Add-Section 'Machine' {
    $os = Get-CimInstance -ClassName Win32_OperatingSystem
    '{0}, build {1}, up since {2:u}' -f $os.Caption, $os.BuildNumber, $os.LastBootUpTime
    'Culture {0}, code page {1}, PowerShell {2}' -f (Get-Culture).Name, [Text.Encoding]::Default.CodePage, $PSVersionTable.PSVersion
    'Clock {0:u}, time zone {1}' -f (Get-Date).ToUniversalTime(), [TimeZoneInfo]::Local.Id
}

Add-Section 'Disks' {
    Get-CimInstance -ClassName Win32_LogicalDisk -Filter 'DriveType = 3' |
        Select-Object DeviceID,
            @{ Name = 'FreeGB'; Expression = { [math]::Round($_.FreeSpace / 1GB, 1) } },
            @{ Name = 'SizeGB'; Expression = { [math]::Round($_.Size / 1GB, 1) } } |
        Format-Table -AutoSize
}

Add-Section 'Printers' {
    Get-CimInstance -ClassName Win32_Printer |
        Select-Object Name, PortName, DriverName, WorkOffline, Default |
        Format-Table -AutoSize
}

Add-Section 'Till processes' {
    Get-Process -Name 'AcmeTill*' -ErrorAction SilentlyContinue |
        Select-Object Name, Id, StartTime, @{ Name = 'MB'; Expression = { [int] ($_.WorkingSet64 / 1MB) } } |
        Format-Table -AutoSize
}

Add-Section "Errors of the last $Days day(s)" {
    $filter = @{ LogName = 'Application'; Level = 2; StartTime = (Get-Date).AddDays(-$Days) }
    Get-WinEvent -FilterHashtable $filter -MaxEvents 200 -ErrorAction SilentlyContinue |
        Where-Object { $_.ProviderName -like 'AcmeTill*' -or $_.Message -match 'AcmeTill' } |
        Select-Object -First 20 TimeCreated, Id, ProviderName |
        Format-Table -AutoSize
}

# Shops named Café Zoë or Kühl & Söhne broke an earlier version of this script, so names are tested, too.
Add-Section 'Encoding check' {
    $sample = 'é ö ü ß –'
    'Sample {0}, {1} characters (must be 9)' -f $sample, $sample.Length
}

[IO.File]::WriteAllLines($OutFile, $report, (New-Object Text.UTF8Encoding $true))
Write-Output "Report written to $OutFile"
